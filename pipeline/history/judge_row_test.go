package history_test

import (
	"testing"

	"mtok/pipeline/history"
)

// TestDayToCome refuses a price of a day that nobody can have seen yet, and keeps that
// of the last one; the rows say the same, so that only the day tells them apart.
func TestDayToCome(t *testing.T) {
	const header = "date,provider,gpu_class,form,tier,gpu_count,usd_per_gpu_hr,stat,source,provenance,flag\n"
	const price = ",lambda,H100-80,SXM,on_demand,1,3.99,list,record,primary,\n"
	_, v := judged(t, history.Observations(), "record.csv", []byte(header+
		testDay.String()+price+(testDay+1).String()+price+(testDay-1).String()+price))
	if len(v.Kept) != 2 || v.Kept[0].Day != testDay || v.Kept[1].Day != testDay-1 {
		t.Errorf("kept %+v", v.Kept)
	}
	if len(v.Rejects) != 1 || v.Rejects[0].Rule != history.RuleDay || v.Rejects[0].Line != 3 {
		t.Errorf("refused %+v", v.Rejects)
	}
}
