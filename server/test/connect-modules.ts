import { connectAll } from '../../apps/modules/server.ts'

/** The processes of the portal do the same. */
connectAll()
