-- compatible: older programs may go on
-- So that one mailbox gets one credential, also after its account was deleted. Rewritten each night.
create table credential_mailboxes (
  -- Keyed, and another one each quarter.
  mailbox bytea primary key check (octet_length(mailbox) = 32),
  quarter text collate "C" not null
);
