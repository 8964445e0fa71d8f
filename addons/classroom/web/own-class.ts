import { useSyncExternalStore } from 'react'
import type { OwnClass } from '../contract/classroom.ts'
import { api, streamUrl } from '@trainyard/platform/web/api/client.ts'
import { useEventStream } from '@trainyard/platform/web/api/event-stream.ts'
import { usePageVisible } from '@trainyard/platform/web/api/usePageVisible.ts'

/** Class state of the learner's trainings. It is stored in this module, because the remote page has no query cache. */
let known: readonly OwnClass[] = []
const listeners = new Set<() => void>()

function publish(classes: readonly OwnClass[]): void {
  known = classes
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useOwnClasses = (): readonly OwnClass[] => useSyncExternalStore(subscribe, () => known)

export const refreshOwnClasses = async (): Promise<void> => publish(await api.classroom.mine())

/** Hidden pages disconnect, because browsers limit connections per server. */
export function useOwnClassStream(): void {
  const inSight = usePageVisible()
  useEventStream<OwnClass[]>({
    url: inSight ? streamUrl('classroom', 'watchMine', {}) : null,
    onEvent: publish,
    poll: () => void refreshOwnClasses().catch(() => {}),
  })
}
