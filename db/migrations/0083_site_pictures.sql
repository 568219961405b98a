-- compatible: older programs may go on
-- The site's logo and the picture of its shared links, re-encoded. The settings of the same names say which.
create table site_pictures (
  name text collate "C" primary key check (name in ('logo', 'sharePicture')),
  hash text collate "C" not null,
  bytes bytea not null check (octet_length(bytes) <= 1048576)
);
