"builtin.module"() <{sym_name = "jit_two"}> ({
  }) : () -> ()
