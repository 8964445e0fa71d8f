import { type Kysely, sql } from 'kysely'

/**
 * Money that is paid back is an entry of its own kind, and a row that says it is to be paid back: all of a payment's
 * together never more than it brought.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await entries(db)
  await refunds(db)
}

async function entries(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ledger_entry
      drop constraint ledger_entry_kind_check,
      add constraint ledger_entry_kind_check check (kind in ('invoice', 'payment', 'refund')),
      -- The number of the payment that was paid back.
      add column refund_of text,
      add check ((kind = 'refund') = (refund_of is not null)),
      add check (kind <> 'refund' or amount_paise > 0);
    create index ledger_entry_refund on ledger_entry (refund_of) where refund_of is not null;

    -- What was received is what was paid, less what was paid back.
    create or replace function keep_ledger_balance() returns trigger
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      insert into ledger_balance as kept
        select organisation_id,
          coalesce(sum(amount_paise) filter (where kind = 'invoice'), 0),
          coalesce(sum(case kind when 'refund' then -amount_paise else amount_paise end)
            filter (where kind <> 'invoice'), 0)
        from added group by organisation_id order by organisation_id
      on conflict (organisation_id) do update
        set invoice_paise = kept.invoice_paise + excluded.invoice_paise,
          payment_paise = kept.payment_paise + excluded.payment_paise;
      return null;
    end $$;`.execute(db)
}

async function refunds(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payment add unique (id, organisation_id);
    create table refund (
      -- The refund's receipt and its idempotency key at the provider.
      id uuid primary key default gen_random_uuid(),
      organisation_id uuid not null references organisation (id),
      order_row uuid not null,
      -- The provider's number of the payment.
      payment text not null,
      entry_kind text not null generated always as ('payment') stored,
      -- The provider takes no less than a rupee.
      amount_paise bigint not null check (amount_paise >= 100),
      reason text not null check (reason = btrim(reason) and reason <> ''),
      asked_by text not null,
      created_at timestamptz not null default portal_now(),
      -- Sent: it may have reached the provider.
      state text not null default 'wanted' check (state in ('wanted', 'sent', 'pending', 'processed', 'failed')),
      -- The provider's number of it.
      number text unique,

      reconcile_at timestamptz,
      leased_until timestamptz,
      fence bigint not null default 0,
      generation bigint not null default 0,
      attempts integer not null default 0,
      last_error text,
      trace text,
      foreign key (order_row, organisation_id) references payment (id, organisation_id),
      foreign key (organisation_id, entry_kind, payment) references ledger_entry (organisation_id, kind, reference)
    );
    create index refund_due on refund (reconcile_at) where reconcile_at is not null;
    create index refund_payment on refund (payment);
    create index refund_organisation on refund (organisation_id, created_at);
    create trigger trace_of_new before insert on refund for each row execute function keep_trace();
    create trigger trace_of_wanted before update on refund for each row
      when (new.generation is distinct from old.generation) execute function keep_trace();

    create function keep_refund() returns trigger language plpgsql as $$
    begin
      raise exception 'a refund keeps its payment and amount, and its end is final' using errcode = 'check_violation';
    end $$;
    create trigger refund_forward before update on refund for each row
      when ((old.organisation_id, old.order_row, old.payment, old.amount_paise, old.reason, old.asked_by)
          is distinct from (new.organisation_id, new.order_row, new.payment, new.amount_paise, new.reason, new.asked_by)
        or (old.state in ('processed', 'failed') and new.state <> old.state)
        or (old.number is not null and new.number is distinct from old.number))
      execute function keep_refund();

    -- One at a time: the payment's entry is held. Refunds made at the provider itself count as well; those from before
    -- this migration are payments below zero.
    create function bound_refunds() returns trigger
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare paid bigint; ours bigint; theirs bigint;
    begin
      select amount_paise into paid from ledger_entry
        where organisation_id = new.organisation_id and kind = 'payment' and reference = new.payment
          and source = 'provider' for no key update;
      select coalesce(sum(amount_paise), 0) into ours from refund
        where payment = new.payment and organisation_id = new.organisation_id and state <> 'failed';
      select coalesce(sum(abs(amount_paise)), 0) into theirs from ledger_entry e
        where organisation_id = new.organisation_id
          and (refund_of = new.payment or (kind = 'payment' and amount_paise < 0 and source = 'provider'
            and particular = 'Refund of ' || new.payment))
          and not exists (select from refund r where r.number = e.reference);
      if paid is null or ours + theirs + new.amount_paise > paid then
        raise exception 'Refunds exceed the payment %', new.payment using errcode = 'check_violation';
      end if;
      return new;
    end $$;
    create trigger refund_bound before insert on refund for each row execute function bound_refunds();`.execute(db)
}
