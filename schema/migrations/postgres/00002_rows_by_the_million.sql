-- A daily price is made from the observations of its day and may name no offer but
-- theirs (offersAmong).

-- +goose Up
ALTER TABLE daily_prices DROP CONSTRAINT daily_prices_min_offer_id_fkey;
