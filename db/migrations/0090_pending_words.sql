-- compatible: older programs may go on
-- A search reads all pending entries once per group of windows, so few may wait. The last rebuild of these indexes lost that.
alter index threads_by_words set (gin_pending_list_limit = 256);
alter index comments_by_words set (gin_pending_list_limit = 256);
alter index threads_by_topic set (gin_pending_list_limit = 256);
