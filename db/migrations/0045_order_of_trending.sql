-- compatible: older programs may go on
-- Trending is by views; of as many views by what goes on at the company. One value holds the order, so that
-- a page of the list begins after it. Ratings are those that were published.
create index company_stats_by_trend on company_stats
  ((array[views, recent_comments, threads, ratings]), company_id);
drop index company_stats_by_views;
