import { SERVER_MODULES } from '../../apps/modules/server.ts'
import { connectModules } from '../src/core/events.ts'

/** The processes of the portal do the same. */
connectModules(SERVER_MODULES)
