import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSigned, type SignedRequest } from './s3-double.ts'

// The examples from "Authenticating Requests: Using the Authorization Header" in the S3 documentation.
const key = {
  region: 'us-east-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const nothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

const example = (
  method: string,
  path: string,
  more: Record<string, string>,
  signedHeaders: string,
  signature: string,
): SignedRequest => ({
  method,
  path,
  headers: {
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-date': '20130524T000000Z',
    'x-amz-content-sha256': nothing,
    ...more,
    authorization: `AWS4-HMAC-SHA256 Credential=${key.accessKeyId}/20130524/us-east-1/s3/aws4_request,SignedHeaders=${signedHeaders},Signature=${signature}`,
  },
})

const examples: [name: string, request: SignedRequest, body: string][] = [
  [
    'get an object',
    example(
      'GET',
      '/test.txt',
      { range: 'bytes=0-9' },
      'host;range;x-amz-content-sha256;x-amz-date',
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ),
    '',
  ],
  [
    'put an object',
    example(
      'PUT',
      '/test%24file.text',
      {
        date: 'Fri, 24 May 2013 00:00:00 GMT',
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
        'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      },
      'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ),
    'Welcome to Amazon S3.',
  ],
  [
    'list objects',
    example(
      'GET',
      '/?max-keys=2&prefix=J',
      {},
      'host;x-amz-content-sha256;x-amz-date',
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ),
    '',
  ],
]

for (const [name, request, body] of examples) {
  test(`the double accepts the published signature: ${name}`, () => {
    assert.ok(isSigned(request, Buffer.from(body), key))
  })

  test(`the double refuses anything else under it: ${name}`, () => {
    const changed: [SignedRequest, string, typeof key][] = [
      [{ ...request, method: 'DELETE' }, body, key],
      [{ ...request, path: `/other${request.path}` }, body, key],
      [{ ...request, headers: { ...request.headers, host: 'other.example.com' } }, body, key],
      [{ ...request, headers: { ...request.headers, 'x-amz-date': '20130524T000001Z' } }, body, key],
      [request, `${body}!`, key],
      [request, body, { ...key, secretAccessKey: 'another' }],
    ]
    for (const [other, content, holder] of changed) assert.ok(!isSigned(other, Buffer.from(content), holder))
  })
}
