import { type Kysely, sql } from 'kysely'

/**
 * Adds the delivery and opening of invitations, their validity until the training ends, and the contact address for
 * help.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(STATEMENTS).execute(db)
}

const STATEMENTS = `
alter table organisation
  -- Learners write to this address. Null: they write to an instructor of the training or to the admin who ordered.
  add help_email text check (length(help_email) between 3 and 254);
alter table portal_user
  -- Time zone of the browser that opened the user's link; null: unknown.
  add time_zone text check (length(time_zone) between 1 and 64);
alter table invitation
  -- When the mail server accepted the e-mail.
  add delivered_at timestamptz,
  -- When the page of the link was first opened.
  add opened_at timestamptz,
  add constraint invitation_delivered_or_bounced check (delivered_at is null or bounced_at is null);

-- Returns the end of a training: the end of its last day, otherwise of its last planned session; null if neither is
-- known.
create function training_end(t training) returns timestamptz language sql stable as $$
  select coalesce(
    ((t.ends_on + 1)::timestamp at time zone (select time_zone from organisation where id = t.organisation_id)),
    (select max(stops_at) from class_session
      where training_id = t.id and removed_at is null and skipped_at is null))
$$;

-- Returns the end of a link's validity. An invitation to a class is valid until the last training of the user ends, for
-- at most a year. If no end is known, the invitation is valid for 90 days.
create function invitation_end(i invitation) returns timestamptz language sql stable as $$
  select case i.purpose when 'invitation' then greatest(i.expires_at, (
    select max(least(coalesce(training_end(t), i.created_at + interval '90 days'), i.created_at + interval '366 days'))
    from portal_user u join training t on t.organisation_id = u.organisation_id and t.removed_at is null
    where u.id = i.user_id and u.role = 'user' and t.id in (
      select training_id from machine where email = u.email and terminated_at is null and desired <> 'gone'
        and withheld_at is null
      union select training_id from training_instructor where user_id = u.id)))
  else i.expires_at end
$$;
`
