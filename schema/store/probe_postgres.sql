SELECT coalesce(current_schema(), ''),
    count(*),
    count(*) FILTER (WHERE relname = 'goose_db_version'),
    count(*) FILTER (WHERE relname IN ('runs', 'pages', 'fetches', 'offers', 'observations'))
FROM pg_catalog.pg_class
WHERE relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = current_schema())
  AND relkind IN ('r', 'p', 'v', 'm')
