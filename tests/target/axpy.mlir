module @axpy attributes {stable_mosaic.version = 9 : i64} {
  func.func @main(%arg0: memref<24x384xf32, #tpu.memory_space<any>>, %arg1: memref<24x384xf32, #tpu.memory_space<any>>, %arg2: memref<24x384xf32, #tpu.memory_space<any>>) attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 0 : i64} {
    %c1_i32 = arith.constant 1 : i32
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.muli %c1_i32, %c3_i32 : i32
    %c3_i32_0 = arith.constant 3 : i32
    %1 = arith.muli %0, %c3_i32_0 : i32
    "tpu.region"() ({
      %alloca = memref.alloca() : memref<2x8x128xf32, #tpu.memory_space<vmem>>
      %alloca_1 = memref.alloca() : memref<1xi32, #tpu.memory_space<smem>>
      %alloca_2 = memref.alloca() : memref<1xi32, #tpu.memory_space<smem>>
      %2 = "tpu.sem_alloc"() : () -> memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %alloca_3 = memref.alloca() : memref<2x8x128xf32, #tpu.memory_space<vmem>>
      %alloca_4 = memref.alloca() : memref<1xi32, #tpu.memory_space<smem>>
      %alloca_5 = memref.alloca() : memref<1xi32, #tpu.memory_space<smem>>
      %3 = "tpu.sem_alloc"() : () -> memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %alloca_6 = memref.alloca() : memref<2x8x128xf32, #tpu.memory_space<vmem>>
      %alloca_7 = memref.alloca() : memref<1xi32, #tpu.memory_space<smem>>
      %alloca_8 = memref.alloca() : memref<1xi32, #tpu.memory_space<smem>>
      %4 = "tpu.sem_alloc"() : () -> memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %c0_i32 = arith.constant 0 : i32
      %c0 = arith.constant 0 : index
      %5 = memref.load %alloca_1[%c0] : memref<1xi32, #tpu.memory_space<smem>>
      memref.store %c0_i32, %alloca_1[%c0] : memref<1xi32, #tpu.memory_space<smem>>
      %c0_i32_9 = arith.constant 0 : i32
      %c0_10 = arith.constant 0 : index
      %6 = memref.load %alloca_2[%c0_10] : memref<1xi32, #tpu.memory_space<smem>>
      memref.store %c0_i32_9, %alloca_2[%c0_10] : memref<1xi32, #tpu.memory_space<smem>>
      %c0_i32_11 = arith.constant 0 : i32
      %c0_12 = arith.constant 0 : index
      %7 = memref.load %alloca_4[%c0_12] : memref<1xi32, #tpu.memory_space<smem>>
      memref.store %c0_i32_11, %alloca_4[%c0_12] : memref<1xi32, #tpu.memory_space<smem>>
      %c0_i32_13 = arith.constant 0 : i32
      %c0_14 = arith.constant 0 : index
      %8 = memref.load %alloca_5[%c0_14] : memref<1xi32, #tpu.memory_space<smem>>
      memref.store %c0_i32_13, %alloca_5[%c0_14] : memref<1xi32, #tpu.memory_space<smem>>
      %c0_i32_15 = arith.constant 0 : i32
      %c0_16 = arith.constant 0 : index
      %9 = memref.load %alloca_7[%c0_16] : memref<1xi32, #tpu.memory_space<smem>>
      memref.store %c0_i32_15, %alloca_7[%c0_16] : memref<1xi32, #tpu.memory_space<smem>>
      %c0_i32_17 = arith.constant 0 : i32
      %c0_18 = arith.constant 0 : index
      %10 = memref.load %alloca_8[%c0_18] : memref<1xi32, #tpu.memory_space<smem>>
      memref.store %c0_i32_17, %alloca_8[%c0_18] : memref<1xi32, #tpu.memory_space<smem>>
      %c0_i32_19 = arith.constant 0 : i32
      %c0_i32_20 = arith.constant 0 : i32
      %c0_i32_21 = arith.constant 0 : i32
      %11 = arith.subi %1, %c0_i32_19 : i32
      %12 = arith.addi %c0_i32_19, %11 : i32
      %c1_i32_22 = arith.constant 1 : i32
      %13:2 = scf.for %arg3 = %c0_i32_19 to %12 step %c1_i32_22 iter_args(%arg4 = %c0_i32_20, %arg5 = %c0_i32_21) -> (i32, i32)  : i32 {
        %c1_i32_23 = arith.constant 1 : i32
        %c3_i32_24 = arith.constant 3 : i32
        %14 = arith.muli %c1_i32_23, %c3_i32_24 : i32
        %c3_i32_25 = arith.constant 3 : i32
        %15 = arith.muli %14, %c3_i32_25 : i32
        %c0_i32_26 = arith.constant 0 : i32
        %16 = arith.cmpi eq, %arg3, %c0_i32_26 : i32
        %c1_i32_27 = arith.constant 1 : i32
        %17 = arith.subi %15, %c1_i32_27 : i32
        %18 = arith.cmpi eq, %arg3, %17 : i32
        %true = arith.constant true
        %19 = arith.andi %true, %16 : i1
        %true_28 = arith.constant true
        %20 = arith.andi %true_28, %18 : i1
        %c0_i32_29 = arith.constant 0 : i32
        %21 = arith.addi %arg4, %c0_i32_29 : i32
        %c0_i32_30 = arith.constant 0 : i32
        %22 = arith.addi %arg5, %c0_i32_30 : i32
        %c1_i32_31 = arith.constant 1 : i32
        %23 = arith.subi %arg5, %c1_i32_31 : i32
        %true_32 = arith.constant true
        %24 = arith.select %true_32, %23, %arg5 : i32
        %c-1_i32 = arith.constant -1 : i32
        %25 = arith.cmpi eq, %24, %c-1_i32 : i32
        %c2_i32 = arith.constant 2 : i32
        %26 = arith.select %25, %c2_i32, %24 : i32
        %c1_i32_33 = arith.constant 1 : i32
        %27 = arith.subi %arg4, %c1_i32_33 : i32
        %28 = arith.select %25, %27, %arg4 : i32
        %c-1_i32_34 = arith.constant -1 : i32
        %29 = arith.cmpi eq, %28, %c-1_i32_34 : i32
        %c2_i32_35 = arith.constant 2 : i32
        %30 = arith.select %29, %c2_i32_35, %28 : i32
        %c0_i32_36 = arith.constant 0 : i32
        %31 = arith.addi %30, %c0_i32_36 : i32
        %c0_i32_37 = arith.constant 0 : i32
        %32 = arith.addi %26, %c0_i32_37 : i32
        %c1_i32_38 = arith.constant 1 : i32
        %33 = arith.addi %arg5, %c1_i32_38 : i32
        %true_39 = arith.constant true
        %34 = arith.select %true_39, %33, %arg5 : i32
        %c3_i32_40 = arith.constant 3 : i32
        %35 = arith.cmpi eq, %34, %c3_i32_40 : i32
        %c0_i32_41 = arith.constant 0 : i32
        %36 = arith.select %35, %c0_i32_41, %34 : i32
        %c1_i32_42 = arith.constant 1 : i32
        %37 = arith.addi %arg4, %c1_i32_42 : i32
        %38 = arith.select %35, %37, %arg4 : i32
        %c3_i32_43 = arith.constant 3 : i32
        %39 = arith.cmpi eq, %38, %c3_i32_43 : i32
        %c0_i32_44 = arith.constant 0 : i32
        %40 = arith.select %39, %c0_i32_44, %38 : i32
        %c0_i32_45 = arith.constant 0 : i32
        %41 = arith.addi %40, %c0_i32_45 : i32
        %c0_i32_46 = arith.constant 0 : i32
        %42 = arith.addi %36, %c0_i32_46 : i32
        %c1_i32_47 = arith.constant 1 : i32
        %43 = arith.addi %36, %c1_i32_47 : i32
        %true_48 = arith.constant true
        %44 = arith.select %true_48, %43, %36 : i32
        %c3_i32_49 = arith.constant 3 : i32
        %45 = arith.cmpi eq, %44, %c3_i32_49 : i32
        %c0_i32_50 = arith.constant 0 : i32
        %46 = arith.select %45, %c0_i32_50, %44 : i32
        %c1_i32_51 = arith.constant 1 : i32
        %47 = arith.addi %40, %c1_i32_51 : i32
        %48 = arith.select %45, %47, %40 : i32
        %c3_i32_52 = arith.constant 3 : i32
        %49 = arith.cmpi eq, %48, %c3_i32_52 : i32
        %c0_i32_53 = arith.constant 0 : i32
        %50 = arith.select %49, %c0_i32_53, %48 : i32
        %c0_i32_54 = arith.constant 0 : i32
        %51 = arith.addi %50, %c0_i32_54 : i32
        %c0_i32_55 = arith.constant 0 : i32
        %52 = arith.addi %46, %c0_i32_55 : i32
        %c8_i32 = arith.constant 8 : i32
        %53 = arith.muli %c8_i32, %arg4 : i32
        %c128_i32 = arith.constant 128 : i32
        %54 = arith.muli %c128_i32, %arg5 : i32
        %c0_56 = arith.constant 0 : index
        %55 = memref.load %alloca_2[%c0_56] : memref<1xi32, #tpu.memory_space<smem>>
        %c2_i32_57 = arith.constant 2 : i32
        %56 = arith.remui %55, %c2_i32_57 : i32
        "tpu.region"() ({
          %92 = "tpu.sem_alloc"() : () -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
          %93 = "tpu.memref_slice"(%arg0, %53, %54) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<24x384xf32, #tpu.memory_space<any>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<any>>
          %c0_i32_85 = arith.constant 0 : i32
          %c0_i32_86 = arith.constant 0 : i32
          %94 = "tpu.memref_slice"(%alloca, %56, %c0_i32_85, %c0_i32_86) {operandSegmentSizes = array<i32: 1, 3, 0>} : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, i32, i32, i32) -> memref<1x8x128xf32, #tpu.memory_space<vmem>>
          %95 = "tpu.memref_squeeze"(%94) : (memref<1x8x128xf32, #tpu.memory_space<vmem>>) -> memref<8x128xf32, #tpu.memory_space<vmem>>
          %c0_i32_87 = arith.constant 0 : i32
          %c0_i32_88 = arith.constant 0 : i32
          %96 = "tpu.memref_slice"(%95, %c0_i32_87, %c0_i32_88) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<8x128xf32, #tpu.memory_space<vmem>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<vmem>>
          "tpu.enqueue_dma"(%93, %96, %92) {operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>, priority = 0 : i32, strict_ordering = false} : (memref<8x128xf32, #tpu.memory_space<any>>, memref<8x128xf32, #tpu.memory_space<vmem>>, memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> ()
          %97 = "tpu.memref_slice"(%arg0, %53, %54) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<24x384xf32, #tpu.memory_space<any>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<any>>
          %c0_i32_89 = arith.constant 0 : i32
          %c0_i32_90 = arith.constant 0 : i32
          %98 = "tpu.memref_slice"(%alloca, %56, %c0_i32_89, %c0_i32_90) {operandSegmentSizes = array<i32: 1, 3, 0>} : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, i32, i32, i32) -> memref<1x8x128xf32, #tpu.memory_space<vmem>>
          %99 = "tpu.memref_squeeze"(%98) : (memref<1x8x128xf32, #tpu.memory_space<vmem>>) -> memref<8x128xf32, #tpu.memory_space<vmem>>
          %c0_i32_91 = arith.constant 0 : i32
          %c0_i32_92 = arith.constant 0 : i32
          %100 = "tpu.memref_slice"(%99, %c0_i32_91, %c0_i32_92) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<8x128xf32, #tpu.memory_space<vmem>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<vmem>>
          "tpu.wait_dma2"(%92, %97, %100) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, strict_ordering = false} : (memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, memref<8x128xf32, #tpu.memory_space<any>>, memref<8x128xf32, #tpu.memory_space<vmem>>) -> ()
          "tpu.yield"() : () -> ()
        }) : () -> ()
        %c8_i32_58 = arith.constant 8 : i32
        %57 = arith.muli %c8_i32_58, %arg4 : i32
        %c128_i32_59 = arith.constant 128 : i32
        %58 = arith.muli %c128_i32_59, %arg5 : i32
        %c0_60 = arith.constant 0 : index
        %59 = memref.load %alloca_5[%c0_60] : memref<1xi32, #tpu.memory_space<smem>>
        %c2_i32_61 = arith.constant 2 : i32
        %60 = arith.remui %59, %c2_i32_61 : i32
        "tpu.region"() ({
          %92 = "tpu.sem_alloc"() : () -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
          %93 = "tpu.memref_slice"(%arg1, %57, %58) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<24x384xf32, #tpu.memory_space<any>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<any>>
          %c0_i32_85 = arith.constant 0 : i32
          %c0_i32_86 = arith.constant 0 : i32
          %94 = "tpu.memref_slice"(%alloca_3, %60, %c0_i32_85, %c0_i32_86) {operandSegmentSizes = array<i32: 1, 3, 0>} : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, i32, i32, i32) -> memref<1x8x128xf32, #tpu.memory_space<vmem>>
          %95 = "tpu.memref_squeeze"(%94) : (memref<1x8x128xf32, #tpu.memory_space<vmem>>) -> memref<8x128xf32, #tpu.memory_space<vmem>>
          %c0_i32_87 = arith.constant 0 : i32
          %c0_i32_88 = arith.constant 0 : i32
          %96 = "tpu.memref_slice"(%95, %c0_i32_87, %c0_i32_88) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<8x128xf32, #tpu.memory_space<vmem>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<vmem>>
          "tpu.enqueue_dma"(%93, %96, %92) {operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>, priority = 0 : i32, strict_ordering = false} : (memref<8x128xf32, #tpu.memory_space<any>>, memref<8x128xf32, #tpu.memory_space<vmem>>, memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> ()
          %97 = "tpu.memref_slice"(%arg1, %57, %58) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<24x384xf32, #tpu.memory_space<any>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<any>>
          %c0_i32_89 = arith.constant 0 : i32
          %c0_i32_90 = arith.constant 0 : i32
          %98 = "tpu.memref_slice"(%alloca_3, %60, %c0_i32_89, %c0_i32_90) {operandSegmentSizes = array<i32: 1, 3, 0>} : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, i32, i32, i32) -> memref<1x8x128xf32, #tpu.memory_space<vmem>>
          %99 = "tpu.memref_squeeze"(%98) : (memref<1x8x128xf32, #tpu.memory_space<vmem>>) -> memref<8x128xf32, #tpu.memory_space<vmem>>
          %c0_i32_91 = arith.constant 0 : i32
          %c0_i32_92 = arith.constant 0 : i32
          %100 = "tpu.memref_slice"(%99, %c0_i32_91, %c0_i32_92) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<8x128xf32, #tpu.memory_space<vmem>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<vmem>>
          "tpu.wait_dma2"(%92, %97, %100) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, strict_ordering = false} : (memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, memref<8x128xf32, #tpu.memory_space<any>>, memref<8x128xf32, #tpu.memory_space<vmem>>) -> ()
          "tpu.yield"() : () -> ()
        }) : () -> ()
        %c0_62 = arith.constant 0 : index
        %61 = memref.load %alloca_2[%c0_62] : memref<1xi32, #tpu.memory_space<smem>>
        %c2_i32_63 = arith.constant 2 : i32
        %62 = arith.remui %61, %c2_i32_63 : i32
        %c0_64 = arith.constant 0 : index
        %63 = memref.load %alloca_5[%c0_64] : memref<1xi32, #tpu.memory_space<smem>>
        %c2_i32_65 = arith.constant 2 : i32
        %64 = arith.remui %63, %c2_i32_65 : i32
        %c0_66 = arith.constant 0 : index
        %65 = memref.load %alloca_7[%c0_66] : memref<1xi32, #tpu.memory_space<smem>>
        %c2_i32_67 = arith.constant 2 : i32
        %66 = arith.remui %65, %c2_i32_67 : i32
        "tpu.trace_start"() {level = 10 : i32, message = "ep_run_kernel"} : () -> ()
        %67 = arith.index_cast %62 : i32 to index
        %c0_68 = arith.constant 0 : index
        %c0_69 = arith.constant 0 : index
        %68 = vector.load %alloca[%67, %c0_68, %c0_69] : memref<2x8x128xf32, #tpu.memory_space<vmem>>, vector<1x8x128xf32>
        %69 = vector.shape_cast %68 : vector<1x8x128xf32> to vector<8x128xf32>
        %cst = arith.constant 2.000000e+00 : f32
        %70 = vector.broadcast %cst : f32 to vector<8x128xf32>
        %71 = arith.mulf %70, %69 : vector<8x128xf32>
        %72 = arith.index_cast %64 : i32 to index
        %c0_70 = arith.constant 0 : index
        %c0_71 = arith.constant 0 : index
        %73 = vector.load %alloca_3[%72, %c0_70, %c0_71] : memref<2x8x128xf32, #tpu.memory_space<vmem>>, vector<1x8x128xf32>
        %74 = vector.shape_cast %73 : vector<1x8x128xf32> to vector<8x128xf32>
        %75 = arith.addf %71, %74 : vector<8x128xf32>
        %76 = arith.index_cast %66 : i32 to index
        %c0_72 = arith.constant 0 : index
        %c0_73 = arith.constant 0 : index
        %77 = vector.load %alloca_6[%76, %c0_72, %c0_73] : memref<2x8x128xf32, #tpu.memory_space<vmem>>, vector<1x8x128xf32>
        %78 = vector.shape_cast %77 : vector<1x8x128xf32> to vector<8x128xf32>
        %79 = vector.shape_cast %75 : vector<8x128xf32> to vector<1x8x128xf32>
        "tpu.vector_store"(%79, %alloca_6, %76, %c0_72, %c0_73) {add = false, operandSegmentSizes = array<i32: 1, 1, 3, 0>, strides = array<i32>} : (vector<1x8x128xf32>, memref<2x8x128xf32, #tpu.memory_space<vmem>>, index, index, index) -> ()
        "tpu.trace_stop"() : () -> ()
        %c8_i32_74 = arith.constant 8 : i32
        %80 = arith.muli %c8_i32_74, %arg4 : i32
        %c128_i32_75 = arith.constant 128 : i32
        %81 = arith.muli %c128_i32_75, %arg5 : i32
        %c0_76 = arith.constant 0 : index
        %82 = memref.load %alloca_7[%c0_76] : memref<1xi32, #tpu.memory_space<smem>>
        %c2_i32_77 = arith.constant 2 : i32
        %83 = arith.remui %82, %c2_i32_77 : i32
        "tpu.region"() ({
          %92 = "tpu.sem_alloc"() : () -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
          %c0_i32_85 = arith.constant 0 : i32
          %c0_i32_86 = arith.constant 0 : i32
          %93 = "tpu.memref_slice"(%alloca_6, %83, %c0_i32_85, %c0_i32_86) {operandSegmentSizes = array<i32: 1, 3, 0>} : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, i32, i32, i32) -> memref<1x8x128xf32, #tpu.memory_space<vmem>>
          %94 = "tpu.memref_squeeze"(%93) : (memref<1x8x128xf32, #tpu.memory_space<vmem>>) -> memref<8x128xf32, #tpu.memory_space<vmem>>
          %c0_i32_87 = arith.constant 0 : i32
          %c0_i32_88 = arith.constant 0 : i32
          %95 = "tpu.memref_slice"(%94, %c0_i32_87, %c0_i32_88) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<8x128xf32, #tpu.memory_space<vmem>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<vmem>>
          %96 = "tpu.memref_slice"(%arg2, %80, %81) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<24x384xf32, #tpu.memory_space<any>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<any>>
          "tpu.enqueue_dma"(%95, %96, %92) {operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>, priority = 0 : i32, strict_ordering = false} : (memref<8x128xf32, #tpu.memory_space<vmem>>, memref<8x128xf32, #tpu.memory_space<any>>, memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> ()
          %c0_i32_89 = arith.constant 0 : i32
          %c0_i32_90 = arith.constant 0 : i32
          %97 = "tpu.memref_slice"(%alloca_6, %83, %c0_i32_89, %c0_i32_90) {operandSegmentSizes = array<i32: 1, 3, 0>} : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, i32, i32, i32) -> memref<1x8x128xf32, #tpu.memory_space<vmem>>
          %98 = "tpu.memref_squeeze"(%97) : (memref<1x8x128xf32, #tpu.memory_space<vmem>>) -> memref<8x128xf32, #tpu.memory_space<vmem>>
          %c0_i32_91 = arith.constant 0 : i32
          %c0_i32_92 = arith.constant 0 : i32
          %99 = "tpu.memref_slice"(%98, %c0_i32_91, %c0_i32_92) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<8x128xf32, #tpu.memory_space<vmem>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<vmem>>
          %100 = "tpu.memref_slice"(%arg2, %80, %81) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<24x384xf32, #tpu.memory_space<any>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<any>>
          "tpu.wait_dma2"(%92, %99, %100) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, strict_ordering = false} : (memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, memref<8x128xf32, #tpu.memory_space<vmem>>, memref<8x128xf32, #tpu.memory_space<any>>) -> ()
          "tpu.yield"() : () -> ()
        }) : () -> ()
        %c1_i32_78 = arith.constant 1 : i32
        %84 = arith.addi %arg5, %c1_i32_78 : i32
        %true_79 = arith.constant true
        %85 = arith.select %true_79, %84, %arg5 : i32
        %c3_i32_80 = arith.constant 3 : i32
        %86 = arith.cmpi eq, %85, %c3_i32_80 : i32
        %c0_i32_81 = arith.constant 0 : i32
        %87 = arith.select %86, %c0_i32_81, %85 : i32
        %c1_i32_82 = arith.constant 1 : i32
        %88 = arith.addi %arg4, %c1_i32_82 : i32
        %89 = arith.select %86, %88, %arg4 : i32
        %c3_i32_83 = arith.constant 3 : i32
        %90 = arith.cmpi eq, %89, %c3_i32_83 : i32
        %c0_i32_84 = arith.constant 0 : i32
        %91 = arith.select %90, %c0_i32_84, %89 : i32
        scf.yield %91, %87 : i32, i32
      }
      "tpu.yield"() : () -> ()
    }) : () -> ()
    return
  }
}
