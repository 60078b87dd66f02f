package schema

// unitRatios are what a price moves by when its unit is read wrongly: GPUs per
// node, cents, a decimal point, the hours of a month, dollars per thousand.
func unitRatios() []int64 { return []int64{2, 4, 8, 10, 100, 730, 1000} }

// UnitRatio finds the ratio of units by which a price rose or fell, within so many
// thousandths of it; 0 where the move is near none.
func UnitRatio(before, after USD, permille int64) int64 {
	low, high := int64(min(before, after)), int64(max(before, after))
	for _, ratio := range unitRatios() {
		if diff := max(high-ratio*low, ratio*low-high); diff*1000 <= ratio*low*permille {
			return ratio
		}
	}
	return 0
}
