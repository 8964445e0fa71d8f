import { type Kysely, sql } from 'kysely'

/** Token buckets, so that all processes together ask a provider no faster than it lets them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table call_bucket (
      name text primary key,
      tokens double precision not null,
      counted_at timestamptz not null,
      closed_until timestamptz not null default '-infinity'
    );

    -- Takes a token where there is one and answers 0, or the seconds until there will be one.
    create function take_token(bucket text, burst double precision, per_second double precision)
    returns double precision language plpgsql as $$
    declare
      b call_bucket;
      present timestamptz := portal_now();
      filled double precision;
    begin
      insert into call_bucket (name, tokens, counted_at) values (bucket, burst, present) on conflict do nothing;
      select * into b from call_bucket where name = bucket for update;
      if b.closed_until > present then return extract(epoch from b.closed_until - present); end if;
      -- Transactions that began earlier may come later: the count never goes back.
      filled := least(burst, b.tokens + greatest(0, extract(epoch from present - b.counted_at)) * per_second);
      update call_bucket set tokens = filled - case when filled >= 1 then 1 else 0 end,
        counted_at = greatest(b.counted_at, present) where name = bucket;
      return case when filled >= 1 then 0 else (1 - filled) / per_second end;
    end $$;
  `.execute(db)
}
