// The type library of ECMAScript does not declare WebAssembly. This is the part that the engine needs.
declare namespace WebAssembly {
  type Module = object
  function compile(bytes: Uint8Array): Promise<Module>
}
