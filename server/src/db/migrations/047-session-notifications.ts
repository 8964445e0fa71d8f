import { type Kysely, sql } from 'kysely'

/**
 * Notifies the API processes of each change that ends or alters a session, because they cache sessions for up to two
 * seconds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(NOTIFICATIONS).execute(db)
}

const NOTIFICATIONS = `
create function notify_session_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_changed', '');
  return null;
end $$;

-- These are statement triggers, because one notification clears the whole cache. Updating only the last use of a
-- session sends no notification.
create trigger session_removed after delete on session execute function notify_session_changed();
create trigger session_changed after update of token_hash, user_id, expires_at, idle_minutes, confirmed_at on session
  execute function notify_session_changed();
create trigger portal_user_sessions after delete or update of email, role, role_since, organisation_id, password_hash,
  password_given, deactivated_at on portal_user execute function notify_session_changed();
create trigger organisation_sessions after delete or update of name, time_zone, logo, idle_minutes,
  password_change_required, second_factor, second_factor_since, passwords_allowed, removed_at on organisation
  execute function notify_session_changed();
create trigger training_instructor_sessions after insert or delete or update on training_instructor
  execute function notify_session_changed();
create trigger authenticator_app_sessions after insert or delete or update on authenticator_app
  execute function notify_session_changed();
create trigger passkey_sessions after insert or delete on passkey execute function notify_session_changed();
`
