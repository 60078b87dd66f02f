DROP INDEX daily_prices_day;
