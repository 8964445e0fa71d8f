import { useNotifications } from '@mantine/notifications'
import { type ComponentType, useEffect, useState } from 'react'

/** Loads the container of messages after the first screen, so that a message can be shown without a connection. */
export function NoticeBoard() {
  const { notifications } = useNotifications()
  const [Container, setContainer] = useState<ComponentType | null>(null)
  useEffect(() => {
    import('./NoticeContainer.tsx').then(
      (module) => setContainer(() => module.default),
      // The next message loads it again.
      () => undefined,
    )
  }, [notifications.length])
  return Container && <Container />
}
