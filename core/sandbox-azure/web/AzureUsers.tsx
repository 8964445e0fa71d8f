import { LabUsers } from '@trainyard/lab-users/web/LabUsers.tsx'
import { UserSandboxes, type AzureUser } from './UserSandboxes.tsx'
import { api } from '@trainyard/platform/web/api/client.ts'
import type { LabUserSource } from '@trainyard/lab-users/web/lab-users.ts'

const azureUsers: LabUserSource<AzureUser> = {
  list: api.sandboxUser.list,
  create: (user, options) => api.sandboxUser.create({ ...user }, options),
  renew: (renewal, options) => api.sandboxUser.renew({ ...renewal }, options),
  ended: api.sandboxUser.ended,
  hasCredits: true,
  remove: (email) => api.sandboxUser.remove({ email }),
}

const consequences = ({ email, sandbox }: AzureUser) => (
  <>
    <p>
      <strong>{email}</strong> is signed out of the portal immediately. Access to Azure is blocked, and then the user is
      deleted.
    </p>
    {sandbox.length > 0 && (
      <div>
        <p>{sandbox.length === 1 ? '1 sandbox is' : `${sandbox.length} sandboxes are`} deleted with all contents:</p>
        <ul>
          {sandbox.map(({ _id, resourceGroupName }) => (
            <li key={_id} className="mono">
              {resourceGroupName}
            </li>
          ))}
        </ul>
      </div>
    )}
  </>
)
const details = (user: AzureUser) => <UserSandboxes user={user} />

export default function AzureUsers() {
  return <LabUsers source={azureUsers} consequences={consequences} more={details} />
}
