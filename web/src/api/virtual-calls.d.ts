declare module 'virtual:calls' {
  export const calls: Record<string, Record<string, import('../../build/contract-calls.ts').WireCall>>
}
