import {
  DeactivateMFADeviceCommand,
  DeleteAccessKeyCommand,
  DeleteServiceSpecificCredentialCommand,
  DeleteSigningCertificateCommand,
  DeleteSSHPublicKeyCommand,
  DeleteUserCommand,
  DeleteUserPolicyCommand,
  DeleteVirtualMFADeviceCommand,
  DetachUserPolicyCommand,
  type IAMClient,
  ListServiceSpecificCredentialsCommand,
  paginateListAccessKeys,
  paginateListAttachedUserPolicies,
  paginateListGroupsForUser,
  paginateListMFADevices,
  paginateListSigningCertificates,
  paginateListSSHPublicKeys,
  paginateListUserPolicies,
  RemoveUserFromGroupCommand,
} from '@aws-sdk/client-iam'
import { deleteLogin } from './block.ts'
import { attempt, attemptAll } from './clients.ts'
import { ignoring } from './find.ts'

type Send = (call: () => Promise<unknown>) => Promise<void>

/**
 * Deletes the user's parts and the user. The denying policies are deleted last, so that the user never regains access.
 * Missing resources are no error.
 */
export async function deleteUser(client: IAMClient, UserName: string, abortSignal: AbortSignal): Promise<void> {
  const action = `delete the user ${UserName}`
  const drop: Send = (call) => ignoring(['NoSuchEntity'], () => attempt(action, call))
  await attemptAll(action, [
    () => deleteLogin(client, UserName, abortSignal),
    ...attachmentSteps(client, UserName, abortSignal, drop),
  ])
  await attempt(action, () => deletePolicies(client, UserName, abortSignal, drop))
  await drop(() => client.send(new DeleteUserCommand({ UserName }), { abortSignal }))
}

function attachmentSteps(
  client: IAMClient,
  UserName: string,
  abortSignal: AbortSignal,
  drop: Send,
): (() => Promise<void>)[] {
  const given = [{ client }, { UserName }, { abortSignal }] as const
  const options = { abortSignal }
  return [
    async () => {
      for (const { AccessKeyId } of await gather(paginateListAccessKeys(...given), (page) => page.AccessKeyMetadata))
        await drop(() => client.send(new DeleteAccessKeyCommand({ UserName, AccessKeyId }), options))
    },
    async () => {
      const attached = await gather(paginateListAttachedUserPolicies(...given), (page) => page.AttachedPolicies)
      for (const { PolicyArn } of attached)
        await drop(() => client.send(new DetachUserPolicyCommand({ UserName, PolicyArn }), options))
    },
    async () => {
      for (const { GroupName } of await gather(paginateListGroupsForUser(...given), (page) => page.Groups))
        await drop(() => client.send(new RemoveUserFromGroupCommand({ UserName, GroupName }), options))
    },
    async () => {
      for (const { SerialNumber } of await gather(paginateListMFADevices(...given), (page) => page.MFADevices)) {
        await drop(() => client.send(new DeactivateMFADeviceCommand({ UserName, SerialNumber }), options))
        // Only virtual MFA devices can be deleted. A hardware device is only deactivated.
        if (SerialNumber?.includes(':mfa/') === true)
          await drop(() => client.send(new DeleteVirtualMFADeviceCommand({ SerialNumber }), options))
      }
    },
    async () => {
      const certificates = await gather(paginateListSigningCertificates(...given), (page) => page.Certificates)
      for (const { CertificateId } of certificates)
        await drop(() => client.send(new DeleteSigningCertificateCommand({ UserName, CertificateId }), options))
    },
    async () => {
      for (const { SSHPublicKeyId } of await gather(paginateListSSHPublicKeys(...given), (page) => page.SSHPublicKeys))
        await drop(() => client.send(new DeleteSSHPublicKeyCommand({ UserName, SSHPublicKeyId }), options))
    },
    async () => {
      const reply = await client.send(new ListServiceSpecificCredentialsCommand({ UserName }), options)
      for (const { ServiceSpecificCredentialId: id } of reply.ServiceSpecificCredentials ?? []) {
        const command = new DeleteServiceSpecificCredentialCommand({ UserName, ServiceSpecificCredentialId: id })
        await drop(() => client.send(command, options))
      }
    },
  ]
}

async function deletePolicies(
  client: IAMClient,
  UserName: string,
  abortSignal: AbortSignal,
  drop: Send,
): Promise<void> {
  const pages = paginateListUserPolicies({ client }, { UserName }, { abortSignal })
  for (const PolicyName of await gather(pages, (page) => page.PolicyNames))
    await drop(() => client.send(new DeleteUserPolicyCommand({ UserName, PolicyName }), { abortSignal }))
}

async function gather<Page, T>(pages: AsyncIterable<Page>, itemsOf: (page: Page) => T[] | undefined): Promise<T[]> {
  const found: T[] = []
  for await (const page of pages) found.push(...(itemsOf(page) ?? []))
  return found
}
