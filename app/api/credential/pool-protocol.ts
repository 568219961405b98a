/** As from `serializeServerPrivateKey` and `serializeServerPublicKey`. */
export interface IssuerKeys {
  privateKey: Uint8Array
  publicKey: Uint8Array
}

export interface VerifyQuestion {
  kind: 'verify'
  keys: IssuerKeys
  requestContext: Uint8Array
  presentationContext: Uint8Array
  message: Uint8Array
  presentation: Uint8Array
}

export interface IssueQuestion {
  kind: 'issue'
  keys: IssuerKeys
  requestContext: Uint8Array
  request: Uint8Array
  /** The account's stored commitment, from its second request on. */
  commitment: Uint8Array | undefined
}

export type PoolQuestion = VerifyQuestion | IssueQuestion

/** A presentation's tag or a request's response. Undefined if it proves nothing. */
export interface PoolAnswer {
  bytes: Uint8Array | undefined
}
