package store

import (
	"context"
	_ "embed" // the SQL beside this file

	"mtok/schema"
)

//go:embed class_token_costs.sql
var classTokenCosts string

// The columns of class_token_costs.sql.
const (
	costDay = iota
	costStatistic
	costInputs
	costOrigin
	costProvider
	costTier
	costGPUs
	costReplicas
	costPerHour
	costRaw
	costUtilized
	costAllIn
	costWidth
)

// ClassTokenCosts is ClassMarkets for the costs of one workload under one term. Years
// of a class are ten thousand rows.
func (s *Store) ClassTokenCosts(
	ctx context.Context, class schema.ClassID, workload string, term schema.Term, from, to schema.Day,
) ([]schema.DailyTokenCost, error) {
	words, costs := words{}, []schema.DailyTokenCost{}
	err := s.each(ctx, costWidth, func(r rawRow) error {
		costs = append(costs, schema.DailyTokenCost{
			Day: schema.Day(r.integer(costDay)), Class: class, Term: term, Workload: workload,
			Statistic: words.one(r.text(costStatistic)), Inputs: words.one(r.text(costInputs)),
			Origin:   schema.Origin(words.one(r.text(costOrigin))),
			Provider: schema.ProviderID(words.one(r.text(costProvider))), Tier: schema.Tier(words.one(r.text(costTier))),
			GPUs: int(r.integer(costGPUs)), Replicas: int(r.integer(costReplicas)),
			USDPerHour: schema.USD(r.integer(costPerHour)), Raw: schema.USD(r.integer(costRaw)),
			Utilized: schema.USD(r.integer(costUtilized)), AllIn: schema.USD(r.integer(costAllIn)),
		})
		return nil
	}, classTokenCosts, string(class), int64(from), int64(to), workload, string(term))
	return costs, s.fault("list token costs of "+string(class), err)
}
