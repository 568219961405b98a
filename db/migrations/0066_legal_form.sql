-- compatible: older programs may go on
alter table companies
  -- Such as GmbH, Inc. or plc.
  add column legal_form text check (char_length(legal_form) between 1 and 40);
