import { Button } from '@mantine/core'
import { useState } from 'react'
import { notify } from '@trainyard/platform/web/ui/notices.ts'

const permission = (): NotificationPermission => ('Notification' in globalThis ? Notification.permission : 'denied')

/** Asks the browser to allow notifications of raised hands. Absent once the user has decided. */
export function NotifyMe() {
  const [now, setNow] = useState(permission)
  if (now !== 'default') return null
  const requestPermission = async () => {
    const answer = await Notification.requestPermission()
    setNow(answer)
    if (answer === 'granted') notify.status('The browser will notify you of raised hands.')
  }
  return (
    <Button variant="default" onClick={() => void requestPermission()}>
      Notify me of hands
    </Button>
  )
}
