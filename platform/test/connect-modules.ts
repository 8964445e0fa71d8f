import { connectAll } from '@trainyard/modules/server.ts'
import { connectAllSettings } from '@trainyard/modules/settings.ts'

/** The processes of the portal do the same. */
connectAll()
connectAllSettings()
