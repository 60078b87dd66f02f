CREATE INDEX daily_prices_day ON daily_prices (day);
