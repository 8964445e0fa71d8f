import { serverModule } from '../../../core/module.ts'
import { abandonedRemoteSessions } from './ending.ts'
import { pinFirstKeys } from './first-keys.ts'
import { remoteHandlers } from './http.ts'

export default serverModule({
  name: 'remote-access',
  calls: ({ remotePage: page, seal, connector }) => ({ remote: remoteHandlers({ page, seal, connector }) }),
  tasks: ({ db, shells }) => [
    // An API process closes abandoned sessions only while it has open sessions itself.
    { name: 'close abandoned remote sessions', every: 30, on: 'one', run: abandonedRemoteSessions(db) },
    ...(shells
      ? [
          {
            name: 'pin host keys',
            every: 5,
            on: 'one' as const,
            run: (signal: AbortSignal) => pinFirstKeys(db, shells, signal),
          },
        ]
      : []),
  ],
})
