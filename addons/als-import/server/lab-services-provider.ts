/** A resource of Azure Lab Services as the service returned it, with all its fields. */
export interface LabServicesResource {
  /** Full resource ID in the service's spelling. IDs are compared without regard to case. */
  readonly id: string
  readonly name: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

/** A role of a user, a group or an application at a lab itself. Inherited roles are not included. */
export interface LabRole {
  /** Name of a built-in role, such as Owner or Lab Assistant. */
  readonly role: string
  readonly principalType: string
  readonly principalId: string
  /** Address in the directory; null for other principals, and if the directory does not show the user. */
  readonly email: string | null
}

/** Reads Azure Lab Services. No call changes anything there. */
export interface LabServices {
  listPlans(signal: AbortSignal): Promise<LabServicesResource[]>
  listLabs(signal: AbortSignal): Promise<LabServicesResource[]>
  listUsers(lab: string, signal: AbortSignal): Promise<LabServicesResource[]>
  listSchedules(lab: string, signal: AbortSignal): Promise<LabServicesResource[]>
  listMachines(lab: string, signal: AbortSignal): Promise<LabServicesResource[]>
  /** Returns the roles with which users manage the lab. */
  listRoles(lab: string, signal: AbortSignal): Promise<LabRole[]>
  /** Returns an image of a plan by its name; null if the plan does not contain the image. */
  getImage(plan: string, name: string, signal: AbortSignal): Promise<LabServicesResource | null>
  /** Lab accounts, the model before lab plans. */
  listAccounts(signal: AbortSignal): Promise<LabServicesResource[]>
}

/** An app registration, and the subscription whose labs it reads. */
interface LabServicesSignIn {
  readonly subscriptionId: string
  readonly tenantId: string
  readonly clientId: string
  readonly clientSecret: string
}

/** Connects to a subscription; `signIn` null: with the portal's own app registration. */
export type ConnectLabServices = (subscriptionId: string, signIn: LabServicesSignIn | null) => LabServices
