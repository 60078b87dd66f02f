package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// ErrModelConfig is wrapped by the errors of ParseModelConfig.
var ErrModelConfig = errors.New("not a model configuration that can be counted")

// modelConfig are the keys of a Hugging Face config.json that the shape of a
// decoder follows from.
type modelConfig struct {
	Name         string       `json:"_name_or_path"`
	ModelType    string       `json:"model_type"`
	Text         *modelConfig `json:"text_config"` // of a model that sees, too
	Hidden       int64        `json:"hidden_size"`
	Layers       int64        `json:"num_hidden_layers"`
	Heads        int64        `json:"num_attention_heads"`
	KVHeads      int64        `json:"num_key_value_heads"`
	HeadDim      int64        `json:"head_dim"`
	Intermediate int64        `json:"intermediate_size"`
	Vocabulary   int64        `json:"vocab_size"`
	Tied         bool         `json:"tie_word_embeddings"`
	// mixtures of experts, under the names in use
	LocalExperts     int64 `json:"num_local_experts"`
	Experts          int64 `json:"num_experts"`
	RoutedExperts    int64 `json:"n_routed_experts"`
	ExpertsPerToken  int64 `json:"num_experts_per_tok"`
	SharedExperts    int64 `json:"n_shared_experts"`
	MoEIntermediate  int64 `json:"moe_intermediate_size"`
	DenseLayers      int64 `json:"first_k_dense_replace"`
	SharedWidth      int64 `json:"shared_expert_intermediate_size"`
	SparseStep       int64 `json:"decoder_sparse_step"`
	KVRank           int64 `json:"kv_lora_rank"` // multi-head latent attention
	QRank            int64 `json:"q_lora_rank"`
	RopeHeadDim      int64 `json:"qk_rope_head_dim"`
	NopeHeadDim      int64 `json:"qk_nope_head_dim"`
	ValueHeadDim     int64 `json:"v_head_dim"`
	StateSize        int64 `json:"state_size"` // not a transformer
	LinearKeyHeads   int64 `json:"linear_num_key_heads"`
	EncoderLayers    int64 `json:"encoder_layers"`
	MambaHeads       int64 `json:"mamba_num_heads"`
	NumDecoderLayers int64 `json:"num_decoder_layers"`
	// LayerTypes say which layers keep a whole context; those with a sliding window
	// keep a few tokens, whatever the context.
	LayerTypes []string `json:"layer_types"`
}

// ParseModelConfig reads a Hugging Face config.json into the row that the physical
// bounds need: parameters, layers, and the bytes that a token keeps in the cache.
// The parameters are counted from the sizes; norms and biases, below a thousandth,
// are left out. What is no decoder of plain or latent attention is ErrModelConfig:
// a count that may be wrong is worse than none. The row has no source and no date.
func ParseModelConfig(text []byte) (Model, error) {
	var c modelConfig
	if err := json.Unmarshal(text, &c); err != nil {
		return Model{}, fmt.Errorf("%w: %w", ErrModelConfig, err)
	}
	if c.Text != nil && c.Hidden == 0 {
		name := c.Name
		c = *c.Text
		c.Name = name
	}
	if err := c.check(); err != nil {
		return Model{}, err
	}
	all, active := c.parameters()
	m := Model{ID: strings.ToLower(lastPart(c.Name)), ParamsB: billions(all), ActiveParamsB: billions(active), Layers: int(c.Layers),
		KVHeads: int(c.kvHeads()), HeadDim: int(c.headDim()), Attention: c.attention(), KVBytesPerToken: 2 * c.cacheValues(), KVBytesFP8: c.cacheValues()}
	m.Notes = "parameters counted from config.json"
	return m, nil
}

// mostOfModel bounds each size: four times the product of three, the largest that is
// made, holds in 64 bits.
const mostOfModel = 1_000_000

func (c modelConfig) check() error {
	var missing []string
	for _, v := range []struct {
		key string
		is  int64
	}{{"hidden_size", c.Hidden}, {"num_hidden_layers", c.Layers}, {"num_attention_heads", c.Heads}, {"vocab_size", c.Vocabulary},
		{"intermediate_size", max(c.Intermediate, c.MoEIntermediate)}} {
		if v.is < 1 || v.is > mostOfModel {
			missing = append(missing, v.key)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("%w: missing or impossible: %s", ErrModelConfig, strings.Join(missing, ", "))
	}
	for _, v := range []int64{c.KVHeads, c.HeadDim, c.Intermediate, c.experts(), c.ExpertsPerToken, c.SharedExperts, c.MoEIntermediate,
		c.DenseLayers, c.SharedWidth, c.KVRank, c.QRank, c.RopeHeadDim, c.NopeHeadDim, c.ValueHeadDim} {
		if v < 0 || v > mostOfModel {
			return fmt.Errorf("%w: a size is negative or impossible", ErrModelConfig)
		}
	}
	switch {
	case c.StateSize > 0 || c.MambaHeads > 0 || c.LinearKeyHeads > 0:
		return fmt.Errorf("%w: %q has layers without a cache of keys and values", ErrModelConfig, c.ModelType)
	case slices.Contains(c.LayerTypes, "linear_attention") || len(c.LayerTypes) > 0 && int64(len(c.LayerTypes)) != c.Layers || c.cachingLayers() < 1:
		return fmt.Errorf("%w: layer_types has layers that can't be counted", ErrModelConfig)
	case c.EncoderLayers > 0 || c.NumDecoderLayers > 0:
		return fmt.Errorf("%w: %q is not a decoder alone", ErrModelConfig, c.ModelType)
	case c.experts() > 0 && (c.ExpertsPerToken < 1 || c.ExpertsPerToken > c.experts()):
		return fmt.Errorf("%w: num_experts_per_tok is missing or more than the experts", ErrModelConfig)
	case c.SparseStep > 1:
		return fmt.Errorf("%w: decoder_sparse_step %d mixes dense and sparse layers", ErrModelConfig, c.SparseStep)
	case c.DenseLayers > c.Layers:
		return fmt.Errorf("%w: first_k_dense_replace is more than the layers", ErrModelConfig)
	case c.DenseLayers > 0 && c.Intermediate == 0:
		return fmt.Errorf("%w: intermediate_size is missing", ErrModelConfig)
	case c.HeadDim == 0 && c.KVRank == 0 && c.Hidden%c.Heads != 0:
		return fmt.Errorf("%w: head_dim is missing", ErrModelConfig)
	case c.KVRank > 0 && (c.RopeHeadDim == 0 || c.NopeHeadDim == 0 || c.ValueHeadDim == 0):
		return fmt.Errorf("%w: latent attention needs qk_rope_head_dim, qk_nope_head_dim and v_head_dim", ErrModelConfig)
	}
	return nil
}

func (c modelConfig) experts() int64 { return max(c.LocalExperts, c.Experts, c.RoutedExperts) }

func (c modelConfig) kvHeads() int64 {
	switch {
	case c.KVRank > 0:
		return 1
	case c.KVHeads > 0:
		return c.KVHeads
	}
	return c.Heads
}

func (c modelConfig) headDim() int64 {
	switch {
	case c.KVRank > 0:
		return c.KVRank + c.RopeHeadDim
	case c.HeadDim > 0:
		return c.HeadDim
	}
	return c.Hidden / c.Heads
}

// cacheValues is how many numbers a token keeps in the cache, of all layers: keys
// and values of each head, or the one latent vector.
func (c modelConfig) cacheValues() int64 {
	if c.KVRank > 0 {
		return c.Layers * (c.KVRank + c.RopeHeadDim)
	}
	return 2 * c.cachingLayers() * c.kvHeads() * c.headDim()
}

// cachingLayers are those whose cache grows with the context.
func (c modelConfig) cachingLayers() int64 {
	layers := c.Layers
	for _, kind := range c.LayerTypes {
		if kind == "sliding_attention" || kind == "chunked_attention" {
			layers--
		}
	}
	return layers
}

func (c modelConfig) attention() string {
	switch {
	case c.KVRank > 0:
		return "MLA"
	case c.kvHeads() == c.Heads:
		return "MHA"
	}
	return "GQA"
}

// parameters counts all parameters and those that one token passes through. Sizes
// are multiplied exactly, since a product of them may be large.
func (c modelConfig) parameters() (all, active *big.Int) {
	embeddings := product(c.Vocabulary, c.Hidden)
	total := new(big.Int).Mul(c.attentionWeights(), big.NewInt(c.Layers))
	total.Add(total, embeddings)
	if !c.Tied {
		total.Add(total, embeddings)
	}
	active = new(big.Int).Set(total)
	dense := c.Layers
	if c.experts() > 0 {
		dense = c.DenseLayers
	}
	feed := product(3, c.Hidden, c.Intermediate, dense) // gate, up and down
	total.Add(total, feed)
	active.Add(active, feed)
	if sparse := c.Layers - dense; sparse > 0 {
		width := c.MoEIntermediate
		if width == 0 {
			width = c.Intermediate
		}
		always := product(3, c.Hidden, width*c.SharedExperts+c.SharedWidth, sparse)
		always.Add(always, product(c.Hidden, c.experts(), sparse)) // the router
		total.Add(total, always)
		active.Add(active, always)
		total.Add(total, product(3, c.Hidden, width, c.experts(), sparse))
		active.Add(active, product(3, c.Hidden, width, c.ExpertsPerToken, sparse))
	}
	return total, active
}

// attentionWeights are those of one layer.
func (c modelConfig) attentionWeights() *big.Int {
	sum := new(big.Int)
	add := func(factors ...int64) { sum.Add(sum, product(factors...)) }
	if c.KVRank > 0 {
		query := c.NopeHeadDim + c.RopeHeadDim
		if c.QRank > 0 {
			add(c.Hidden, c.QRank)
			add(c.QRank, c.Heads, query)
		} else {
			add(c.Hidden, c.Heads, query)
		}
		add(c.Hidden, c.KVRank+c.RopeHeadDim)
		add(c.KVRank, c.Heads, c.NopeHeadDim+c.ValueHeadDim)
		add(c.Heads, c.ValueHeadDim, c.Hidden)
		return sum
	}
	add(2, c.Hidden, c.Heads, c.headDim())     // query and output
	add(2, c.Hidden, c.kvHeads(), c.headDim()) // keys and values
	return sum
}

func product(factors ...int64) *big.Int {
	p := big.NewInt(1)
	for _, f := range factors {
		p.Mul(p, big.NewInt(f))
	}
	return p
}

// billions rounds a count to three digits behind the point, in 1e9.
func billions(n *big.Int) Decimal {
	text := new(big.Rat).SetFrac(n, big.NewInt(1_000_000_000)).FloatString(3)
	text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	d, err := ParseDecimal(text)
	if err != nil {
		return Decimal{}
	}
	return d
}

func lastPart(path string) string {
	path = strings.TrimRight(path, "/")
	return path[strings.LastIndexByte(path, '/')+1:]
}
