/** Days after which a notification is deleted, read or not. */
export const NOTIFICATION_DAYS = 90
/** Maximum number of notifications in a list. Older ones are not counted as unread. */
export const NOTIFICATIONS_MAX = 200
