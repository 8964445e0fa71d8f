import { organization, portalKey } from '@trainyard/sandbox-aws/emulator/cloud.ts'
import type { AwsUsers } from '@trainyard/sandbox-aws/server/aws-users.ts'
import { awsUsers } from '@trainyard/sandbox-aws/server/users.ts'
import type { Wire } from '@trainyard/sandbox-aws/server/wire.ts'
import type { RazorpaySettings } from '@trainyard/payments/server/razorpay-payments.ts'

export function testAwsUsers(endpoint: string, http?: (wire: Wire) => Wire, timeLimit = 15_000): AwsUsers {
  return awsUsers({
    credentials: portalKey,
    region: 'us-east-1',
    endpoint,
    role: 'OrganizationAccountAccessRole',
    labPolicy: 'arn:aws:iam::aws:policy/PowerUserAccess',
    units: { lab: organization.labs, cleanup: organization.cleanup },
    timeLimit,
    ...(http === undefined ? {} : { http }),
  })
}

/** Returns the Razorpay adapter's settings for an emulator and its merchant. */
export const emulatedRazorpay = (url: string): RazorpaySettings => ({
  url,
  checkoutScriptUrl: `${url}/v1/checkout.js`,
  keyId: 'rzp_test_EmulatedTest01',
  keySecret: 'emulated-key-secret',
  webhookSecret: 'emulated-webhook-secret',
})
