package schema_test

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"mtok/schema"
)

// The sizes are those of the published configurations; the counts those of the
// model cards, as they stand in models.toml.
const (
	llama70b = `{"_name_or_path": "meta-llama/Llama-3.1-70B", "model_type": "llama", "hidden_size": 8192, "num_hidden_layers": 80,
		"num_attention_heads": 64, "num_key_value_heads": 8, "intermediate_size": 28672, "vocab_size": 128256, "tie_word_embeddings": false}`
	deepseekV3 = `{"model_type": "deepseek_v3", "hidden_size": 7168, "num_hidden_layers": 61, "num_attention_heads": 128, "num_key_value_heads": 128,
		"intermediate_size": 18432, "moe_intermediate_size": 2048, "n_routed_experts": 256, "n_shared_experts": 1, "num_experts_per_tok": 8,
		"first_k_dense_replace": 3, "kv_lora_rank": 512, "q_lora_rank": 1536, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128,
		"v_head_dim": 128, "vocab_size": 129280, "tie_word_embeddings": false}`
	gptOSS = `{"model_type": "gpt_oss", "hidden_size": 2880, "num_hidden_layers": 36, "num_attention_heads": 64, "num_key_value_heads": 8,
		"head_dim": 64, "intermediate_size": 2880, "num_local_experts": 128, "num_experts_per_tok": 4, "vocab_size": 201088,
		"layer_types": [` + slidingAndFull + `]}`
	// every other layer of 36
	slidingAndFull = eachOther + "," + eachOther + "," + eachOther
	eachOther      = pair + "," + pair + "," + pair + "," + pair + "," + pair + "," + pair
	pair           = `"sliding_attention", "full_attention"`
)

func TestParseModelConfig(t *testing.T) {
	catalog := load(t)
	for text, like := range map[string]string{llama70b: "llama-3-70b", deepseekV3: "deepseek-v3", gptOSS: "gpt-oss-120b"} {
		got, err := schema.ParseModelConfig([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", like, err)
		}
		want, _ := catalog.Model(like)
		if got.Layers != want.Layers || got.KVBytesPerToken != want.KVBytesPerToken {
			t.Errorf("%s: %d layers, %d bytes a token, want %d, %d", like, got.Layers, got.KVBytesPerToken, want.Layers, want.KVBytesPerToken)
		}
		off := new(big.Rat).Quo(got.ParamsB.Rat(), want.ParamsB.Rat())
		if off.Cmp(big.NewRat(99, 100)) < 0 || off.Cmp(big.NewRat(101, 100)) > 0 {
			t.Errorf("%s: %sB parameters, want %sB", like, got.ParamsB, want.ParamsB)
		}
		if active := want.ActiveParamsB; active.IsSet() {
			off := new(big.Rat).Quo(got.ActiveParamsB.Rat(), active.Rat())
			if off.Cmp(big.NewRat(85, 100)) < 0 || off.Cmp(big.NewRat(115, 100)) > 0 {
				t.Errorf("%s: %sB active, want %sB", like, got.ActiveParamsB, active)
			}
		}
	}
	if m, _ := schema.ParseModelConfig([]byte(llama70b)); m.ID != "llama-3.1-70b" {
		t.Errorf("name %q", m.ID)
	}
}

func TestParseModelConfigRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no json": `hidden_size = 8192`, "empty": `{}`, "null": `null`, "a list": `[]`,
		"no layers":      strings.Replace(llama70b, `"num_hidden_layers": 80,`, "", 1),
		"negative":       strings.Replace(llama70b, `"num_key_value_heads": 8`, `"num_key_value_heads": -8`, 1),
		"far too big":    strings.Replace(llama70b, "8192", "81920000000", 1),
		"a fraction":     strings.Replace(llama70b, "8192", "8192.5", 1),
		"beyond 64 bits": strings.NewReplacer("80,", "5000000,", `"num_key_value_heads": 8`, `"num_key_value_heads": 5000000, "head_dim": 5000000`).Replace(llama70b),
		"mamba":          strings.Replace(llama70b, "{", `{"state_size": 16, `, 1),
		"encoder":        strings.Replace(llama70b, "{", `{"encoder_layers": 12, `, 1),
		"no experts":     strings.Replace(gptOSS, `"num_experts_per_tok": 4`, `"num_experts_per_tok": 400`, 1),
		"latent":         strings.Replace(deepseekV3, `"v_head_dim": 128,`, "", 1),
	} {
		if m, err := schema.ParseModelConfig([]byte(text)); !errors.Is(err, schema.ErrModelConfig) {
			t.Errorf("%s: %+v, %v, want ErrModelConfig", name, m, err)
		}
	}
}
