export type TrueOrReason = true | string
