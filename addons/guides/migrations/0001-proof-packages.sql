-- Packages of the machine after the setup of the guide, with their versions; null: not listed.
alter table proof add column packages jsonb;
