// The ECMAScript type library does not declare WebAssembly. This file declares what the engine needs.
declare namespace WebAssembly {
  type Module = object
  function compile(bytes: Uint8Array): Promise<Module>
}
