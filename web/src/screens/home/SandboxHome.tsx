import type { Role } from '@trainyard/contract/words/role.ts'
import { AwsHome } from './AwsHome.tsx'
import { AzureHome } from './AzureHome.tsx'

/** What a sandbox user has and until when. */
export const SandboxHome = ({ role }: { role: Role }) => (role === 'awssandboxuser' ? <AwsHome /> : <AzureHome />)
