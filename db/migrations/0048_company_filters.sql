-- outside a transaction
-- compatible: older programs may go on
-- What narrows the list of companies is true of few: so few rows are read and put in order.
create index concurrently if not exists companies_by_country on companies (country) where country is not null;
create index concurrently if not exists company_stats_rated on company_stats (company_id) where score > 0;
create index concurrently if not exists company_stats_discussed on company_stats (company_id) where threads > 0;
