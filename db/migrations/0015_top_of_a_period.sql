-- The top ones of a day, a week or a month: each day's in their order, merged by the query. Walking by
-- score would pass everything that scored higher before; walking by age, everything that did not.
create index threads_by_day on threads ((posted_minute / 1440), score, id)
  include (posted_minute, topics) where hidden is null;
