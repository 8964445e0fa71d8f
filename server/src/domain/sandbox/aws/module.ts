import { serverModule } from '../../../core/module.ts'
import { awsSandboxHandlers } from './sandbox-http.ts'
import { awsUserHandlers } from './user-http.ts'

export default serverModule({
  name: 'sandbox-aws',
  calls: ({ seal, jobs, aws: { consoleUrl, labDomain, pool } }) => ({
    awsSandbox: awsSandboxHandlers({ seal, consoleUrl }),
    awsUser: awsUserHandlers({ seal, jobs, labDomain, pool }),
  }),
})
