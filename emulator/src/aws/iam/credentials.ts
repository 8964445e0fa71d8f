import { randomBytes } from 'node:crypto'
import type { AwsCloud } from '#src/aws/cloud.ts'
import { uniqueId } from '#src/aws/ids.ts'
import { isSpreading } from '#src/aws/iam/sign-in.ts'
import { adding, changingUser, listing, readingUser, removing } from '#src/aws/iam/user-parts.ts'
import type { User } from '#src/aws/iam/user-rows.ts'
import { text, type AwsOperation, type Structure } from '#src/aws/operation.ts'
import { invalid, limitExceeded, noSuchEntity, temporarilyUnmodifiable } from '#src/aws/refusal.ts'

const mostKeys = 2

/**
 * Returns the calls on a user's other credentials: access keys, MFA devices, certificates, SSH keys, service
 * credentials.
 */
export function credentialOperations(cloud: AwsCloud): AwsOperation[] {
  const { users } = cloud
  return [
    changingUser(cloud, 'CreateAccessKey', (call, user) => {
      if (users.really(user).filter(({ kind }) => kind === 'key').length >= mostKeys) {
        throw limitExceeded(`Cannot exceed quota for AccessKeysPerUser: ${mostKeys}`)
      }
      const id = uniqueId('AKIA')
      const secret = randomBytes(30).toString('base64')
      users.put(call, user, 'key', id, { status: 'Active', secret })
      return {
        AccessKey: { ...keyShown(user, { name: id, created_at: call.now }, 'Active'), SecretAccessKey: secret },
      }
    }),
    listing(cloud, 'ListAccessKeys', 'key', 'AccessKeyMetadata', (user, part) =>
      keyShown(user, part, (JSON.parse(part.doc) as { status: string }).status),
    ),
    changingUser(cloud, 'UpdateAccessKey', (call, user) => {
      const id = text(call, 'AccessKeyId')
      const key = users.part(call, user, 'key', id)
      if (key === undefined) throw noSuchEntity(`The Access Key with id ${id} cannot be found.`)
      const status = text(call, 'Status')
      if (status !== 'Active' && status !== 'Inactive') {
        throw invalid(
          `1 validation error detected: Value '${status}' at 'status' failed to satisfy constraint: Member must satisfy enum value set: [Active, Inactive]`,
        )
      }
      users.put(call, user, 'key', id, { ...(JSON.parse(key.doc) as object), status })
      return undefined
    }),
    removing(cloud, 'DeleteAccessKey', 'key', 'AccessKeyId'),
    listing(cloud, 'ListMFADevices', 'mfa', 'MFADevices', (user, part) => ({
      UserName: user.name,
      SerialNumber: part.name,
      EnableDate: new Date(part.created_at),
    })),
    changingUser(cloud, 'EnableMFADevice', (call, user) => {
      const login = users.really(user).find(({ kind }) => kind === 'login')
      if (login !== undefined && isSpreading(cloud, login, call.now)) {
        throw temporarilyUnmodifiable(
          `MFA cannot be enabled while the Login Profile for principal ${user.name} is being created.`,
        )
      }
      users.put(call, user, 'mfa', text(call, 'SerialNumber'))
      return undefined
    }),
    removing(cloud, 'DeactivateMFADevice', 'mfa', 'SerialNumber'),
    {
      service: 'iam',
      action: 'DeleteVirtualMFADevice',
      reads: false,
      handle(call) {
        text(call, 'SerialNumber')
        return undefined
      },
    },
    listing(cloud, 'ListSigningCertificates', 'certificate', 'Certificates', (user, part) => ({
      UserName: user.name,
      CertificateId: part.name,
      CertificateBody: (JSON.parse(part.doc) as { body: string }).body,
      Status: 'Active',
      UploadDate: new Date(part.created_at),
    })),
    removing(cloud, 'DeleteSigningCertificate', 'certificate', 'CertificateId'),
    changingUser(cloud, 'UploadSSHPublicKey', (call, user) => {
      const id = uniqueId('APKA')
      const body = text(call, 'SSHPublicKeyBody')
      users.put(call, user, 'ssh', id, { body })
      return {
        SSHPublicKey: {
          UserName: user.name,
          SSHPublicKeyId: id,
          Fingerprint: '00:00',
          SSHPublicKeyBody: body,
          Status: 'Active',
        },
      }
    }),
    listing(cloud, 'ListSSHPublicKeys', 'ssh', 'SSHPublicKeys', (user, part) => ({
      UserName: user.name,
      SSHPublicKeyId: part.name,
      Status: 'Active',
      UploadDate: new Date(part.created_at),
    })),
    removing(cloud, 'DeleteSSHPublicKey', 'ssh', 'SSHPublicKeyId'),
    changingUser(cloud, 'CreateServiceSpecificCredential', (call, user) => {
      const service = text(call, 'ServiceName')
      const id = uniqueId('ACCA')
      users.put(call, user, 'service', id, { service })
      return {
        ServiceSpecificCredential: { ...serviceShown(user, id, service, call.now), ServicePassword: 'emulated' },
      }
    }),
    readingUser(cloud, 'ListServiceSpecificCredentials', (call, user) => {
      const parts = users.parts(call, user, 'service')
      return {
        ServiceSpecificCredentials: parts.map((part) =>
          serviceShown(user, part.name, (JSON.parse(part.doc) as { service: string }).service, part.created_at),
        ),
      }
    }),
    removing(cloud, 'DeleteServiceSpecificCredential', 'service', 'ServiceSpecificCredentialId'),
    listing(cloud, 'ListGroupsForUser', 'group', 'Groups', (user, part) => ({
      Path: '/',
      GroupName: part.name,
      GroupId: `AGPA${part.name.toUpperCase().padEnd(16, 'X').slice(0, 16)}`,
      Arn: `arn:aws:iam::${user.account}:group/${part.name}`,
      CreateDate: new Date(part.created_at),
    })),
    adding(cloud, 'AddUserToGroup', 'group', 'GroupName'),
    removing(cloud, 'RemoveUserFromGroup', 'group', 'GroupName'),
  ]
}

const keyShown = (user: User, key: { name: string; created_at: number }, status: string): Structure => ({
  UserName: user.name,
  AccessKeyId: key.name,
  Status: status,
  CreateDate: new Date(key.created_at),
})

const serviceShown = (user: User, id: string, service: string, at: number): Structure => ({
  UserName: user.name,
  Status: 'Active',
  ServiceUserName: `${user.name}-at-${user.account}`,
  CreateDate: new Date(at),
  ServiceSpecificCredentialId: id,
  ServiceName: service,
})
