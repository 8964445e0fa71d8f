import { type Kysely, sql } from 'kysely'

/**
 * Budgets: a training's over its whole life, an organisation's of each month. Each is judged when it could have reached
 * its next part at the earliest, were all of its machines on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table budget (
      id uuid primary key default gen_random_uuid(),
      organisation_id uuid not null references organisation (id),
      -- null: the organisation's, of each month of its zone.
      training_id uuid,
      amount_paise bigint not null check (amount_paise > 0),
      leash boolean not null,
      last_day date check (last_day is null or training_id is not null),
      set_by text not null,
      set_at timestamptz not null default portal_now(),
      judge_at timestamptz not null default portal_now(),
      -- Since when all is spent and machines are kept off; null: they are not.
      leashed_at timestamptz check (leashed_at is null or leash),
      foreign key (training_id, organisation_id) references training (id, organisation_id),
      unique nulls not distinct (organisation_id, training_id)
    );
    create index budget_due on budget (judge_at);
    create index budget_leashed on budget (organisation_id, training_id) where leashed_at is not null;

    create table budget_alert (
      id uuid primary key default gen_random_uuid(),
      organisation_id uuid not null references organisation (id),
      training_id uuid,
      kind text not null check (kind in ('budget', 'quota')),
      percent integer not null check (percent in (80, 90, 100) or (percent = 50 and kind = 'budget')),
      -- The first day of the month, of an organisation's budget.
      month date check ((month is not null) = (training_id is null)),
      -- Paise of a budget, minutes of a quota.
      used bigint not null check (used >= 0),
      total bigint not null check (total > 0),
      at timestamptz not null default portal_now(),
      check (kind = 'budget' or training_id is not null),
      foreign key (training_id, organisation_id) references training (id, organisation_id),
      -- Once each; more of either is worth being told of again.
      unique nulls not distinct (organisation_id, training_id, kind, month, total, percent)
    );
    create index budget_alert_newest on budget_alert (organisation_id, at desc);

    create table budget_alert_seen (
      alert_id uuid not null references budget_alert (id) on delete cascade,
      user_id uuid not null references portal_user (id) on delete cascade,
      primary key (alert_id, user_id)
    );`.execute(db)
}
