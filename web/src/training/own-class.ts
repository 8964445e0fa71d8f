import { useEffect, useState, useSyncExternalStore } from 'react'
import type { OwnClass } from '@trainyard/contract/calls/classroom.ts'
import { api, streamUrl } from '#src/api/client.ts'
import { useEventStream } from '#src/api/event-stream.ts'

/** The class's messages to the learner of this page. They are kept here, since the remote page has no query cache. */
let known: readonly OwnClass[] = []
const listeners = new Set<() => void>()

function learn(classes: readonly OwnClass[]): void {
  known = classes
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns what was told last of each of the learner's trainings. */
export const useOwnClasses = (): readonly OwnClass[] => useSyncExternalStore(subscribe, () => known)

/** Asks anew, after an action whose effect should not wait for the stream. */
export const refreshOwnClasses = async (): Promise<void> => learn(await api.classroom.mine())

/** Listens while the page is in sight: of those behind it, each stream would be one less for the others. */
export function useOwnClassStream(): void {
  const inSight = useInSight()
  useEventStream<OwnClass[]>({
    url: inSight ? streamUrl('classroom', 'watchMine', {}) : null,
    onEvent: learn,
    poll: () => void refreshOwnClasses().catch(() => {}),
  })
}

function useInSight(): boolean {
  const [inSight, setInSight] = useState(() => document.visibilityState === 'visible')
  useEffect(() => {
    const look = () => setInSight(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return inSight
}
