-- compatible: older programs may go on
-- Badges need a code from the email now, so the links that wait to be sent would lead nowhere.
delete from job_queue where kind = 'badge-link';
