// Reads the response of sign-typed-data from standard input and prints who signed the EIP-712 example.
const { verifyTypedData } = require('ethers');

const domain = {
  name: 'Ether Mail',
  version: '1',
  chainId: 1,
  verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
};
const types = {
  Person: [
    { name: 'name', type: 'string' },
    { name: 'wallet', type: 'address' },
  ],
  Mail: [
    { name: 'from', type: 'Person' },
    { name: 'to', type: 'Person' },
    { name: 'contents', type: 'string' },
  ],
};
const message = {
  from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
  to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
  contents: 'Hello, Bob!',
};

let response = '';
process.stdin.on('data', (chunk) => (response += chunk));
process.stdin.on('end', () => {
  const { data, error } = JSON.parse(response);
  if (!data) throw new Error(error);
  console.log(`signed by ${verifyTypedData(domain, types, message, `0x${data.sig}`)}`);
});
