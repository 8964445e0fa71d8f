-- Exports for bookkeeping programs.

-- Name of a customer's ledger in bookkeeping programs.
create table customer_ledger (
  organisation_id uuid primary key references organisation (id),
  name text not null check (name <> '' and length(name) <= 200)
);
create unique index customer_ledger_name on customer_ledger (comparison_key(name));
