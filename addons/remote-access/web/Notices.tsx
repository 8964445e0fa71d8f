import IconX from '@tabler/icons-react/icons/IconX'
import { notifications as all, useNotifications } from '@mantine/notifications'
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
            <IconX size={16} aria-hidden />
          </button>
        </div>
      ))}
    </div>
  )
}
