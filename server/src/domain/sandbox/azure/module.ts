import { serverModule } from '../../../core/module.ts'
import { azureSandboxHandlers } from './sandbox-http.ts'
import { sandboxUserHandlers } from './user-http.ts'

export default serverModule({
  name: 'sandbox-azure',
  calls: ({ seal, jobs, azure }) => ({
    azureSandbox: azureSandboxHandlers({ seal, ...azure }),
    sandboxUser: sandboxUserHandlers({ seal, jobs, labDomain: azure.labDomain }),
  }),
})
