import { Notifications } from '@mantine/notifications'
import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import styles from './NoticeContainer.module.css'

const NoticeContainer = () => (
  <Notifications
    position="top-center"
    className={`${styles.notices} no-print`}
    classNames={{ notification: styles.notice }}
    containerWidth="26rem"
    notificationMaxHeight="60dvh"
    // A message that is going away would still be announced beside the one that replaces it.
    transitionDuration={0}
  />
)
export default NoticeContainer
