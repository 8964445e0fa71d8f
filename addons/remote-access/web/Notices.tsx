import { notifications as all, useNotifications } from '@mantine/notifications'
import { Icon } from '@trainyard/platform/web/ui/Icon.tsx'
import styles from './Notices.module.css'

/** Shows the messages without Mantine's components, which the terminal page does not contain. */
export function Notices() {
  const { notifications } = useNotifications()
  return (
    <div className={styles.notices}>
      {notifications.map(({ id, message }) => (
        <div key={id} className={styles.notice}>
          {message}
          <button type="button" className="icon-button" aria-label="Close this message" onClick={() => all.hide(id!)}>
            <Icon name="close" size={16} />
          </button>
        </div>
      ))}
    </div>
  )
}
