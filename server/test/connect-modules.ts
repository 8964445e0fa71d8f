import { connectAll } from '../../apps/modules/server.ts'
import { connectAllSettings } from '../../apps/modules/settings.ts'

/** The processes of the portal do the same. */
connectAll()
connectAllSettings()
