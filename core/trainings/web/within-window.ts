import type { Api } from '@trainyard/platform/web/api/client.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { readSession } from '@trainyard/platform/web/session/session.ts'

/** Makes the first call of a screen for a learner only within the access window, because it would be refused. */
export const withinWindow =
  (call: (api: Api, of: TrainingQuery) => Promise<unknown>) =>
  async (api: Api, of: TrainingQuery): Promise<void> => {
    if (readSession()?.role === 'user' && (await api.accessWindow.read(of)).opening !== null) return
    await call(api, of)
  }
